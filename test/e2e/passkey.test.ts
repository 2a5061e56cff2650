import './passkey.cases.ts';
