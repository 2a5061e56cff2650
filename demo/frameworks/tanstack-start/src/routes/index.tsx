import { createFileRoute } from '@tanstack/react-router';
import { Pay } from '../pay';

export const Route = createFileRoute('/')({ component: Pay });
