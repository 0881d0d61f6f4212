"""Signs of life: the heartbeat of the timetable, health and readiness, metrics."""
