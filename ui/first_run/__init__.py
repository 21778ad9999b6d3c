"""What is shown when Idlepool is started for the first time: three pages that can be skipped."""
