/** The words around why a request was refused, and those of the buttons that fix it. */
export const refusalsEn = {
  callerGot: 'Your client received:',
  callerGotQuoted: 'Your client received the provider’s own message. It isn’t kept, because it may quote the prompt.',
  others: (count: number) => `The gateway tried ${count} upstreams.`,
  /** What carried no key of this gateway. */
  unknown: {
    title: 'Refused without a known key',
    lead: 'Sent from your address in the last 10 minutes. These requests carried no key of this gateway, so they belong to no account and are not in the list. They may come from another device on your network.',
    count: (count: number) => `${count} times`,
  },
  fix: {
    editQuota: 'Raise the quota',
    editExpiry: 'Extend the expiry',
    editRate: 'Change the limits',
    editGroup: 'Change the group',
    editModels: 'Change the allowed models',
    editAddresses: 'Change the allowed IPs',
    allowModel: (model: string) => `Allow ${model}`,
    allowAddress: (address: string) => `Allow ${address}`,
    enable: 'Enable the key',
    rotate: 'Generate a new secret',
    create: 'Create a key',
    copyUrl: (url: string) => `Copy ${url}`,
    copyModel: (model: string) => `Copy ${model}`,
    models: 'Show models',
    credit: 'Add credit',
    askAdmin: 'Copy a message to your admin',
    writeAdmin: 'Message your admin',
    copySupport: 'Copy for support',
    messageCopied: 'The message is on the clipboard. Paste it there.',
    title: 'Fix it',
    done: 'Done. Send the request again.',
    gone: 'The key has been deleted.',
    managed: 'This key is managed in the configuration file. Ask an admin to change it there.',
  },
  toAdmin: {
    subject: (title: string, id: string) => `${title} (${id})`,
    hello: (origin: string, title: string) => `Hello, a request of mine failed on ${origin}: ${title}.`,
    id: 'Request ID',
    time: 'Time',
    model: 'Model',
    code: 'Error code',
    account: 'Account',
  },
}

export type RefusalsTexts = typeof refusalsEn
