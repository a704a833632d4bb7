"""What happens while nobody looks: outbox, deadlines and inbox come here with the service."""
