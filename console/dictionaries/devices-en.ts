import { plural } from './plural.ts'

/** The words of signed-in devices, and of the page on which one is approved. */
export const texts = {
  lead: 'Programs you’ve signed in, without copying a key. Each is limited and billed like an API key of its own.',
  enterCode: 'Enter a code',
  signOutAll: 'Sign out all',
  signOut: 'Sign out',
  signOutOf: (name: string) => `Sign out ${name}`,
  edit: 'Edit',
  editOf: (name: string) => `Edit ${name}`,
  requests: 'Requests',
  on: (client: string, machine: string) => `${client} on ${machine}`,
  noLimit: 'no limit',
  approved: 'Approved',
  askedFrom: 'asked from',
  renewed: 'Sign-in renewed',
  ends: 'Signed in until',
  empty: {
    title: 'No signed-in devices',
    text: 'Sign in a client instead of copying a key. You approve it here.',
  },
  ways: {
    title: 'How to sign in a device',
    commandLine: 'From a terminal on the device, for any client:',
    terminal: 'Terminal',
    claudeCode: 'In Claude Code, type /login once its settings name this gateway:',
    off: 'Sign-in from clients is turned off on this server. Use an API key instead.',
    needsHttps:
      'Programs sign in over HTTPS only, except on the gateway’s own machine. Ask an admin to serve the gateway over HTTPS.',
    privateOnly:
      'Claude Code accepts only gateways on this computer or in a private network. Elsewhere, use the command above.',
  },
  secrets: {
    title: 'Secrets stored for clients',
    since: (ago: string) => `stored ${ago}`,
    remove: (name: string) => `Delete the secret of ${name}`,
    removeTitle: 'Delete this secret?',
    removeAction: 'Delete secret',
    removeText: (name: string) =>
      `${name} can no longer call models from this device. The device and its other clients stay signed in.`,
    removed: 'The secret was deleted',
  },
  confirm: {
    title: (name: string) => `Sign out ${name}?`,
    text: 'Its requests are refused immediately, and responses in progress are stopped. This also applies to the secrets stored on it. Its usage stays in your records.',
    action: 'Sign out',
    done: (name: string) => `${name} was signed out`,
    allTitle: (count: number) =>
      plural(count, { one: `Sign out ${count} device?`, other: `Sign out all ${count} devices?` }),
    allText:
      'Their requests are refused immediately, and responses in progress are stopped. Your API keys and this browser aren’t affected.',
    allAction: 'Sign out all',
    allDone: 'All devices were signed out',
  },
  request: {
    lead: 'A program asks to use models on your account.',
    enter: 'Enter the code that the program shows',
    codeForm: 'The code has eight letters, such as BCDF-GHJK.',
    next: 'Continue',
    who: 'Who is asking',
    code: 'Code',
    compare: 'The program must show this exact code.',
    client: 'Program',
    machine: 'Device',
    asItSays: 'as it says',
    notSaid: 'unknown',
    someProgram: 'A program',
    from: 'Address',
    sameNetwork: 'Same network as this browser',
    otherNetwork: 'Not the network of this browser',
    when: 'Asked',
    warning: 'Approve only if you started this yourself a moment ago. No one will ever send you a code.',
    typeCode: 'Type the code that the program shows',
    typeCodeHint: 'Needed because the program isn’t on the network of this browser.',
    codeDiffers:
      'This isn’t the code of this sign-in. Type it as the program shows it. If it shows another, don’t approve.',
    ends: (idle: number, longest: number) =>
      `The device is signed out after ${plural(idle, { one: '1 day', other: `${idle} days` })} without use, and after ${plural(longest, { one: '1 day', other: `${longest} days` })} in any case. You can sign it out at any time.`,
    approve: 'Approve',
    deny: 'This wasn’t me',
    approved: {
      title: (client: string) => `${client} is signed in`,
      text: (client: string) => `You can go back to ${client}, and close this tab.`,
    },
    denied: {
      title: (client: string) => `${client} was refused`,
      text: 'It wasn’t signed in and can’t use your account. If someone sent you the link, don’t open it again. You can close this tab.',
    },
    unknown: {
      title: 'No sign-in is waiting with this code',
      text: 'It may have expired, or was already decided. Start again in the program, and compare the code.',
    },
    tooMany: {
      title: 'Too many incorrect codes',
      text: (minutes: number) =>
        plural(minutes, {
          one: 'Wait 1 minute, then start again in the program.',
          other: `Wait ${minutes} minutes, then start again in the program.`,
        }),
    },
    full: {
      title: 'You’re signed in on the maximum number of devices',
      text: 'Sign out one you no longer need, then approve again.',
    },
    anotherCode: 'Enter another code',
    toDevices: 'Show devices',
  },
}
