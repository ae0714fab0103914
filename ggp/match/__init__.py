"""Matches: their record, one as our agent sees it, one as a manager runs it. No transport."""
