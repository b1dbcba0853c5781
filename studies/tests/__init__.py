"""Tests of the studies, and figures that come out again within seconds: `make studies`."""
