"""
The parts of `benchmarks/speed.py`.

    texts ─▶ a file of skills ─▶ contest: a process for each system ─▶ figures ─▶ page, plot
                                 daily:   what a user of this library waits for ─┘
"""
