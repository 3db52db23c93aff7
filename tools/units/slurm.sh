#!/bin/sh
# Do all units of a search by arrays of SLURM jobs, bound after bound.
# usage: slurm.sh FOLDER, after `psvn solve GAME .. --units N -o FOLDER`
status=4
while [ $status -eq 4 ]; do
    ls "$1"/*.unit > "$1/list"
    sbatch --wait --array=1-"$(wc -l < "$1/list")" \
        --wrap "psvn work \"\$(sed -n \${SLURM_ARRAY_TASK_ID}p '$1/list')\""
    psvn join "$1"
    status=$?
done
exit $status
