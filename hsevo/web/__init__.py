"""The game in the browser: people play against agents, on this machine.

`serve` (serving.py) is all that others call. What knows Starlette and uvicorn is here alone; all
else works without them (`pip install 'hsevo[web]'`).
"""
