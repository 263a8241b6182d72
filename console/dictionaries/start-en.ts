import { plural } from './plural.ts'

export const startEn = {
  lead: 'Make your first call in a few minutes. You’ll see it here, or why it failed.',
  steps: 'Steps',
  done: 'done',
  key: {
    title: 'Create a key',
    name: 'Name',
    nameHint: 'Shown on every request.',
    group: 'Group',
    /** `days`: for how long it is valid; null: for ever. */
    about: (group: { name: string; multiplier: string }, models: number, days: number | null) =>
      `Group ${group.name} (×${group.multiplier}), ${plural(models, { one: '1 model', other: `${models} models` })}, ${days === null ? 'no expiry' : plural(days, { one: 'valid for 1 day', other: `valid for ${days} days` })}.`,
    create: 'Create key',
    other: 'More options',
    noGroup: 'You don’t have access to any group. Ask an admin.',
    noSecret:
      'This key already exists. Its secret was shown once: on this page, or in the terminal that printed your link.',
    newSecret: 'Generate a new secret',
    newSecretHint: 'The key hasn’t been used, so nothing will break.',
    otherWays: 'I have the secret, or want another key',
    another: 'Create another key',
    once: 'Shown only once. Save it before you leave this page.',
    copySecret: 'Copy secret',
    lost: 'The connection dropped before the secret arrived. Generate a new one.',
  },
  credit: {
    title: 'Add credit',
    why: 'Your account has no balance and no subscription. Every request is refused until it has one of them.',
    buy: 'Buy credit',
    ask: 'No code? Ask an admin of this gateway.',
    message: (email: string) =>
      `Please add credit to my Tollgate account ${email}. It has no balance and no subscription.`,
  },
  provider: {
    title: 'Connect a provider',
    lead: 'This gateway has only its demo models, which are simulated. To serve real ones:',
    file: 'Write tollgate.yaml',
    check: 'Check it, then apply it',
    keep: 'Set TOLLGATE_CONFIG to the file’s path to have it applied at every start.',
  },
  client: {
    title: 'Choose your client',
    later: 'Pick a client and we’ll fill in the rest.',
    chips: 'Client',
    all: (count: number) => `All ${count} clients`,
    fewer: 'Show fewer',
    speaks: (client: string, protocol: string) => `${client} uses ${protocol}.`,
  },
  enter: {
    title: 'Configure it',
    later: 'Copy one block with your key already in it.',
    placeholder: 'The block has a placeholder for the secret. Enter the secret in step 1 to fill it in.',
    copyBlock: 'Copy block',
    more: 'Model and notes',
    install: 'Not installed yet?',
    terminal: 'Paste into a terminal',
    file: (path: string) => `Add to ${path}`,
  },
  message: {
    title: 'Send a test message',
    later: 'A few words are enough.',
    inBlock: 'The last line of the block sends the message.',
    inClient: 'Type “Say hello in one word” in your client.',
    fromHere: 'No client at hand? Send one from here. It shows whether the key and the model work.',
  },
  record: {
    title: 'See the result',
    later: 'It appears here automatically.',
    waiting: 'Waiting for the first request…',
    waitingHint: 'Checking every second while this tab is open.',
    unreachable: 'Can’t reach the gateway. Retrying…',
    unknownFault: 'This version of the console doesn’t know this error. Reload the page.',
    refused: 'A request came in but failed.',
    stillWaiting: 'Fix it and try again. We’re still listening.',
    nothingYet:
      'Nothing yet? Check the base URL and the key in your client, then open a new terminal. Requests from another address, or through another node of the gateway, appear here if they use one of your keys, or if curl, Claude Code or Codex sent them with the command above.',
    earlier: (count: number) => plural(count, { one: '1 earlier attempt', other: `${count} earlier attempts` }),
    fromAddress: (count: number) =>
      plural(count, {
        one: 'A request from your address was refused.',
        other: `${count} requests from your address were refused.`,
      }),
    maybeOthers: 'It had no key of this gateway, so it may also come from another device on your network.',
    alsoRefused: (title: string, count: number) => `${title}: ${count} more`,
    withOtherKey: (name: string) => `It used the key ${name}.`,
  },
  success: {
    title: 'It works',
    lead: (client: string) => `${client} just made its first call.`,
    leadUnknown: 'Your client just made its first call.',
    model: 'Model',
    tokens: 'Tokens',
    tokenCounts: (input: string, output: string) => `${input} in, ${output} out`,
    cost: 'Cost',
    time: 'Time',
    key: 'Key',
    details: 'View request',
    secretStays: 'You can copy the secret until you leave this page. Save it if you need it on other machines.',
  },
  ready: {
    title: 'You’re connected',
    lead: (name: string) => `Last used: ${name},`,
    another: 'Set up another client',
  },
  next: {
    title: 'What’s next',
    usage: 'Usage',
    usageText: 'Every request with its tokens and its cost, line by line.',
    clients: 'More clients',
    clientsText: 'A key for each, with setup instructions and import links.',
    models: 'Models',
    modelsText: 'What each one costs in your groups, and which keys can call it.',
  },
  leave: {
    title: 'Leave without the secret?',
    text: 'You haven’t copied it, and it can’t be shown again. To get a new one, you’d have to rotate the key.',
    action: 'Leave anyway',
    stay: 'Stay',
  },
}

export type StartTexts = typeof startEn
