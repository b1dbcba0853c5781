"""Tests of the studies, figures that come out again within seconds, coverage: `make studies`."""
