"""`idlepool bench pipeline`: what a pool of several PCs, played on this one, does for one user and for many."""
