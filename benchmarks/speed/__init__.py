"""What calls cost: the workloads, and the processes that are measured."""
