import './first-transfer.cases.ts';
