# Programs, not modules: they import each other as scripts do, and engines that may not be there.
collect_ignore_glob = ["bench_*.py", "box2d_row.py", "web_*.py", "soak.py"]
