/**
 * A failed assertion's values as text. The runner sends them to Node as they are; a bigint, a function or a DOM node cannot be sent, and
 * its file would say nothing until the limit of five minutes.
 */
const SOURCE = `
const send = sendMessage;
const plain = (error) => {
  for (const key of ['actual', 'expected'])
    if (error?.[key] !== undefined) error[key] = String(error[key]);
};
const failures = ({ suites, tests }) => [...tests.map(({ error }) => error), ...suites.flatMap(failures)];
sendMessage = (message) => {
  const { testResults, errors } = message.result ?? {};
  [...(testResults ? failures(testResults) : []), ...(errors ?? [])].forEach(plain);
  return send(message);
};
`;

export const plainFailures = () => ({
  name: 'plain-failures',
  transform: ({ path, body }) =>
    path === '/__web-dev-server__web-socket.js' ? `${body}${SOURCE}` : undefined,
});
