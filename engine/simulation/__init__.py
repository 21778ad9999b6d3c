"""A pool that is only played: the real planner, lending policy and recovery, with PCs, people and time made up."""
