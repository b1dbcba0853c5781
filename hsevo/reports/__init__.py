"""The report: what evolved, as the paper's figures and tables and beyond them, from run folders.

    run folders --tables--> tidy tables --sections--> Exhibit (title, caption, table, picture)
    agents + their games -----^                 ^       --page--> one HTML page, SVG, PNG, CSV
    several runs --comparison-------------------+
    arenas, benchmarks --arenas--> --standings--+
    examined agents --examined------------------+

Figures are numbered after section 5 of García-Sánchez et al., "Optimizing Hearthstone agents using
an evolutionary algorithm" (2020), wherever they show what one of its figures shows.
"""
