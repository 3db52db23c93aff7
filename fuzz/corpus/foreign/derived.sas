begin_version
3
end_version
begin_metric
0
end_metric
3
begin_variable
var0
-1
2
Atom off()
Atom on()
end_variable
begin_variable
var1
-1
3
Atom a()
Atom b()
<none of those>
end_variable
begin_variable
var2
0
2
NegatedAtom lit()
Atom lit()
end_variable
0
begin_state
0
2
0
end_state
begin_goal
1
2 1
end_goal
2
begin_operator
switch
0
2
0 0 0 1
1 1 2 1 -1 0
1
end_operator
begin_operator
turn x
1
2 0
1
0 1 -1 1
1
end_operator
2
begin_rule
2
0 1
1 1
2 0 1
end_rule
begin_rule
1
1 0
2 0 1
end_rule
