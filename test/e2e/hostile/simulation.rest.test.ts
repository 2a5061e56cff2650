import './simulation.cases.ts';
