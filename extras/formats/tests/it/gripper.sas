begin_version
3
end_version
begin_metric
1
end_metric
4
begin_variable
var0
-1
2
Atom at-robby(a)
Atom at-robby(b)
end_variable
begin_variable
var1
-1
3
Atom at(ball1, a)
Atom at(ball1, b)
<none of those>
end_variable
begin_variable
var2
-1
3
Atom at(ball2, a)
Atom at(ball2, b)
<none of those>
end_variable
begin_variable
var3
-1
2
Atom free()
NegatedAtom free()
end_variable
1
begin_mutex_group
3
1 2
2 2
3 0
end_mutex_group
begin_state
0
0
0
0
end_state
begin_goal
2
1 1
2 1
end_goal
10
begin_operator
move a b
0
1
0 0 0 1
1
end_operator
begin_operator
move b a
0
1
0 0 1 0
1
end_operator
begin_operator
pick ball1 a
1
0 0
2
0 1 0 2
0 3 0 1
2
end_operator
begin_operator
pick ball2 a
1
0 0
2
0 2 0 2
0 3 0 1
2
end_operator
begin_operator
pick ball1 b
1
0 1
2
0 1 1 2
0 3 0 1
2
end_operator
begin_operator
pick ball2 b
1
0 1
2
0 2 1 2
0 3 0 1
2
end_operator
begin_operator
drop ball1 a
1
0 0
2
0 1 2 0
0 3 1 0
1
end_operator
begin_operator
drop ball2 a
1
0 0
2
0 2 2 0
0 3 1 0
1
end_operator
begin_operator
drop ball1 b
1
0 1
2
0 1 2 1
0 3 1 0
1
end_operator
begin_operator
drop ball2 b
1
0 1
2
0 2 2 1
0 3 1 0
1
end_operator
0
