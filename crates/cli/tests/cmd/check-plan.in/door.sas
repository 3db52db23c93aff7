begin_version
3
end_version
begin_metric
1
end_metric
3
begin_variable
key
-1
2
Atom key()
NegatedAtom key()
end_variable
begin_variable
hand
-1
2
Atom hand()
NegatedAtom hand()
end_variable
begin_variable
open
-1
2
Atom open()
NegatedAtom open()
end_variable
0
begin_state
1
0
1
end_state
begin_goal
1
2 0
end_goal
2
begin_operator
open door
1
0 0
1
0 2 1 0
2
end_operator
begin_operator
open door
1
1 0
1
0 2 1 0
3
end_operator
0
