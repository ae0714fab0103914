"""Confinement of the calling process by the Linux kernel: no way back once it is in force."""

from ggp.submission.confinement.confining import Confinement, Limits, confine, is_possible

__all__ = ["Confinement", "Limits", "confine", "is_possible"]
