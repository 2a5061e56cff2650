import './recipients.cases.ts';
