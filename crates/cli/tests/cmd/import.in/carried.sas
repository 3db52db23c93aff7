begin_version
3
end_version
begin_metric
0
end_metric
9
begin_variable
var0
-1
2
Atom at(piece1, place1)
NegatedAtom at(piece1, place1)
end_variable
begin_variable
var1
-1
2
Atom at(piece1, place2)
NegatedAtom at(piece1, place2)
end_variable
begin_variable
var2
-1
2
Atom at(piece1, place3)
NegatedAtom at(piece1, place3)
end_variable
begin_variable
var3
-1
2
Atom at(piece2, place1)
NegatedAtom at(piece2, place1)
end_variable
begin_variable
var4
-1
2
Atom at(piece2, place2)
NegatedAtom at(piece2, place2)
end_variable
begin_variable
var5
-1
2
Atom at(piece2, place3)
NegatedAtom at(piece2, place3)
end_variable
begin_variable
var6
-1
2
Atom at(piece3, place1)
NegatedAtom at(piece3, place1)
end_variable
begin_variable
var7
-1
2
Atom at(piece3, place2)
NegatedAtom at(piece3, place2)
end_variable
begin_variable
var8
-1
2
Atom at(piece3, place3)
NegatedAtom at(piece3, place3)
end_variable
0
begin_state
1
0
1
1
1
0
0
1
1
end_state
begin_goal
3
0 0
4 0
8 0
end_goal
2
begin_operator
turn
0
18
1 0 0 1 -1 0
2 0 1 1 0 1 -1 1
1 1 0 2 -1 0
2 1 1 2 0 2 -1 1
1 2 0 0 -1 0
2 2 1 0 0 0 -1 1
1 3 0 4 -1 0
2 3 1 4 0 4 -1 1
1 4 0 5 -1 0
2 4 1 5 0 5 -1 1
1 5 0 3 -1 0
2 5 1 3 0 3 -1 1
1 6 0 7 -1 0
2 6 1 7 0 7 -1 1
1 7 0 8 -1 0
2 7 1 8 0 8 -1 1
1 8 0 6 -1 0
2 8 1 6 0 6 -1 1
0
end_operator
begin_operator
swap
0
12
1 0 0 1 -1 0
2 0 1 1 0 1 -1 1
1 1 0 0 -1 0
2 1 1 0 0 0 -1 1
1 3 0 4 -1 0
2 3 1 4 0 4 -1 1
1 4 0 3 -1 0
2 4 1 3 0 3 -1 1
1 6 0 7 -1 0
2 6 1 7 0 7 -1 1
1 7 0 6 -1 0
2 7 1 6 0 6 -1 1
0
end_operator
0
