/** Who can sign in to the demo. */
export interface Person {
  /** The subject (`sub`) at the example provider. */
  id: string;
  firstName: string;
  lastName: string;
  email: string;
}

export const PEOPLE: readonly Person[] = [
  { id: 'ada', firstName: 'Ada', lastName: 'Ndour', email: 'ada@demo.example' },
  { id: 'ben', firstName: 'Ben', lastName: 'Okafor', email: 'ben@demo.example' },
  { id: 'cleo', firstName: 'Cleo', lastName: 'Marsh', email: 'cleo@demo.example' },
];
