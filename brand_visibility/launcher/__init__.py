"""Starting things: the place to run in, the night in the foreground, the UI's processes.

For laptops and demonstrations. Production starts Dagster's own commands under a process
manager.
"""
