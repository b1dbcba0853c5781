"""The report: what evolved, as the paper's figures and tables and beyond them, from run folders.

    folders --kinds.of()--> Kind --load()--> data --chapters--> ReportSection, Drawn --page--> HTML

exhibit.py says how an exhibit, a chapter and a kind are declared. A kind of folder has a module:
sections (evolution), learned, deck_searches, coevolved, studied, swept, people.
report.py joins them with arenas (standings.py) and examined agents (examined.py).

Figures are numbered after section 5 of García-Sánchez et al., "Optimizing Hearthstone agents using
an evolutionary algorithm" (2020), wherever they show what one of its figures shows.
"""
