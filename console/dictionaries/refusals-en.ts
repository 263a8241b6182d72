/** The words around why a request was refused, and those of the buttons that fix it. */
export const refusalsEn = {
  callerGot: 'Your client received:',
  callerGotQuoted: 'Your client received the provider’s own message. It isn’t kept, because it may quote the prompt.',
  others: (count: number) => `The gateway tried ${count} upstreams.`,
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
    title: 'Fix it',
    done: 'Done. Send the request again.',
    gone: 'The key has been deleted.',
    managed: 'This key is managed in the configuration file. Ask an admin to change it there.',
  },
  toAdmin: (about: { title: string; cause: string; remedy: string; id: string; time: string; origin: string }) =>
    [
      `Hello, a request of mine failed on ${about.origin}: ${about.title}.`,
      about.cause,
      about.remedy,
      `Request ID: ${about.id}`,
      `Time: ${about.time}`,
    ].join('\n'),
}

export type RefusalsTexts = typeof refusalsEn
