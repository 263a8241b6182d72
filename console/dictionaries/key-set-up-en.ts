/** The words for setting a client up with a key, and for importing it into an app: a part of the words about keys. */
export const keySetUpEn = {
  setUp: {
    drawerTitle: (name: string) => `Use ${name}`,
    protocol: 'Protocol',
    model: 'Model',
    listed: 'Models in the file',
    listedFavourites: 'This model and favorites',
    listedAll: (count: number) => `All ${count} models`,
    moreModels: 'Model slots',
    otherModels: {
      model: 'Model',
      haiku_model: 'Haiku (fast)',
      sonnet_model: 'Sonnet (everyday)',
      opus_model: 'Opus (largest)',
    },
    system: 'System',
    terminal: 'Terminal',
    where: 'Location:',
    signIn: {
      title: 'Sign in instead',
      summary: 'no key to copy',
      text: 'The first command opens this console to approve the device. The second shows what it changes, and asks first.',
    },
    goodToKnow: 'Notes',
    byLink: (app: string) => `Set up ${app} with one click`,
    byHand: 'Or enter it yourself',
    outOfReach: (app: string, address: string) => `${app} can’t reach ${address}`,
    makeReachable:
      'Its vendor calls the gateway from its own servers, which can’t reach a private address. Ask an admin to publish the gateway over HTTPS and set TOLLGATE_PUBLIC_URL.',
    inContainer: (app: string) => `Address if ${app} runs in a container`,
    containerHint:
      'Docker Desktop knows this name. On Linux, start the container with --add-host=host.docker.internal:host-gateway, and have the gateway listen on an address that containers can reach (HOST).',
    failing: (models: string) => `Not answering right now: ${models}. Choose another model, or try again later.`,
    keepIt:
      'Keep the secret in a password manager or your system’s secret store, never in a repository, a chat or a screenshot. If it leaks, rotate the key.',
    client: 'Client',
    allClients: (count: number) => `All ${count}`,
    fewerClients: 'Show fewer',
    searchClients: 'Search clients',
    secretEntry: 'Paste your secret to complete the commands',
    secretEntryHint: (start: string, end: string) =>
      `It starts with ${start} and ends in ${end}. It never leaves this window.`,
    copiedWithout: 'Copied without the secret',
    missed: 'Copied without the secret. Paste it here, then copy again.',
    fits: {
      empty: '',
      fits: 'Looks right. Everything below is filled in.',
      fits_old: 'This is the old secret, which stops working soon. Paste the new one.',
      blank_inside: 'It contains a space or a line break. Copy it again as one line.',
      shortened: 'This is the shortened form from the list. Paste the full secret.',
      start_missing: 'Its first characters are missing. Copy it again, from the very first one.',
      incomplete: 'It’s incomplete. Copy it again, from the first to the last character.',
      other_key: 'This is the secret of another key. Its start or end doesn’t match.',
    },
    secretLost: 'Lost it? Rotate the key to get a new one.',
  },
  importing: {
    drawerTitle: (name: string) => `Import ${name} into an app`,
    app: 'App',
    forWhat: 'For',
    open: (app: string) => `Open ${app}`,
    openPage: 'Open the page',
    copyLink: 'Copy link',
    needsSecret: 'Paste the secret above to build the link.',
    fallback:
      'Nothing happened? The app may not be installed. You can also copy the link and paste it into the app’s import window or the address bar.',
    holdsSecret: 'The link contains the secret. Treat it like one: don’t share it and don’t save it.',
    showCode: 'Show QR code',
    hideCode: 'Hide QR code',
    code: (app: string) => `QR code for ${app}`,
    noTargets: 'This server doesn’t offer import links.',
  },
}

export type KeySetUpTexts = typeof keySetUpEn
