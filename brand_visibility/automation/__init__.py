"""When things happen: jobs, schedules and sensors."""
