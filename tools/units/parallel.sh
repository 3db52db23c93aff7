#!/bin/sh
# Do all units of a search by GNU parallel, bound after bound.
# usage: parallel.sh FOLDER, after `psvn solve GAME .. --units N -o FOLDER`
status=4
while [ $status -eq 4 ]; do
    parallel psvn work ::: "$1"/*.unit
    psvn join "$1"
    status=$?
done
exit $status
