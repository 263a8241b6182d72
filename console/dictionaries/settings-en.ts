import { plural } from './plural.ts'

export const texts = {
  title: 'Settings',
  search: 'Search settings',
  none: 'No settings match your search.',
  exporting: {
    action: 'Export as file',
    done: 'Exported as tollgate.yaml',
    what: 'Apply it to an empty installation with the same TOLLGATE_SECRET to recreate this one. Credentials are encrypted, keys and passwords hashed, but keep the file safe.',
    leftOut: 'Not in the file:',
  },
  stored: {
    title: 'Set in the console',
    lead: 'Changes apply immediately on every node.',
  },
  sources: { file: 'Configuration file', stored: 'Custom', default: 'Default' },
  fromFile: 'Managed in the configuration file. Change it there.',
  changed: (who: string, time: string) => `Changed by ${who}, ${time}`,
  edit: (name: string) => `Edit ${inSentence(name)}`,
  empty: 'Not set',
  hidden: 'Only admins can see the content.',
  settings: {
    site_name: { name: 'Name', does: 'The name of this server in the console and in emails.' },
    registration: { name: 'Registration', does: 'Who can create an account.' },
    support_address: {
      name: 'Support address',
      does: 'Where users ask for help that only an admin can give: an email address, or an https:// URL that can include {subject} and {body}.',
    },
    top_up_url: { name: 'Top-up page', does: 'Where users buy credit. Shown when their balance runs out.' },
    account_limits: {
      name: 'Account limits',
      does: 'Apply to every account, unless the account or one of its plans sets its own.',
    },
    alert_template: {
      name: 'Alert body',
      does: 'Replaces the default body that is posted to the webhook.',
    },
    imports: { name: 'Custom import links', does: 'More apps that keys can be imported into.' },
    hidden_imports: { name: 'Hidden import links', does: 'Built-in import links that users don’t see.' },
    public_models: {
      name: 'Public models page',
      does: 'Lists models that are open to every account, and their prices, without signing in.',
    },
    public_status: { name: 'Public status page', does: 'Shows the availability of those models without signing in.' },
    public_key_check: {
      name: 'Public key check',
      does: 'Shows the usage and limits of a key to anyone who has its secret, without signing in.',
    },
    capture_requests: {
      name: 'Captures',
      does: 'Admins can capture what a key’s requests send and receive, for a short time. Turning this off ends every capture and deletes what was captured.',
    },
    check_models: {
      name: 'Daily model check',
      does: 'Asks each upstream once a day for its list of models. Upstreams and Operations show which models were added or removed there.',
    },
    device_sign_in: {
      name: 'Sign-in from clients',
      does: 'Claude Code and the command line can sign in without a copied key: their user approves it in the console.',
    },
    max_devices: {
      name: 'Devices per account',
      does: 'How many devices an account can be signed in on at once. If you lower it, devices that are signed in stay.',
    },
    device_idle_days: { name: 'Sign out unused devices', does: 'A device is signed out this long after its last use.' },
    device_max_days: {
      name: 'Longest sign-in of a device',
      does: 'A device is signed out this long after it was approved, even if it’s in use.',
    },
  },
  days: (count: number, shown: string) => plural(count, { one: `After ${shown} day`, other: `After ${shown} days` }),
  on: 'On',
  off: 'Off',
  registrations: {
    closed: { name: 'Closed', does: 'Only admins can create accounts.' },
    invitation: { name: 'By invitation', does: 'People sign up with a link from an admin.' },
    open: { name: 'Open', does: 'Anyone who can reach this server can sign up.' },
  },
  limits: {
    concurrency: 'Concurrent requests',
    requests_per_minute: 'Requests per minute',
    tokens_per_minute: 'Tokens per minute',
    max_keys: 'API keys',
    max_key_validity_days: 'Key lifetime in days',
    '5h': 'USD in 5 hours',
    '1d': 'USD in 1 day',
    '7d': 'USD in 7 days',
  },
  limit: (name: string, value: string) => `${name}: ${value}`,
  limitsHint: 'Leave empty for no limit.',
  template: (fields: number) =>
    plural(fields, { one: 'Custom body with 1 field', other: `Custom body with ${fields} fields` }),
  standardTemplate: 'Default body',
  form: {
    title: (name: string) => `Edit ${inSentence(name)}`,
    standard: 'Restore default',
    isOn: 'Turn the page on',
    isAllowed: 'Allow captures',
    json: 'JSON object',
    jsonForm: 'Enter a JSON object, such as {"text": "{{title}}"}.',
    jsonHint:
      'Leave empty for the default body. Only admins can see the content, because it may contain a key of the receiver.',
    countForm: 'Enter a whole number, such as 60, or leave it empty.',
    wholeForm: 'Enter a whole number of 1 or more.',
    days: 'Days',
    amountForm: 'Enter an amount in USD, such as 12.50, or leave it empty.',
    placeholders: 'Placeholders',
    unknownPlaceholder: (written: string) => `Unknown placeholder: ${written}.`,
    preview: 'Preview',
    previewLead: 'With an example alert. The key’s name has quotes and a line break in it.',
    importName: (at: number) => `Name ${at}`,
    importTemplate: (at: number) => `Link ${at}`,
    importHint: 'Placeholders: {origin} {base_url} {key} {model} {name}.',
    addImport: 'Add a link',
    removeImport: (at: number) => `Remove link ${at}`,
    ids: 'IDs, one per line',
  },
  saved: (name: string) => `Saved: ${name}.`,
  undo: 'Undo',
  undone: (name: string) => `Restored: ${name}.`,
  alerts: {
    title: 'Alert delivery',
    lead: 'Alerts go to the webhook and the mail server set in the environment. A test goes to the webhook and, by email, to you.',
    test: 'Send a test alert',
    nowhere: 'Alerts aren’t sent anywhere yet. Set TOLLGATE_ALERT_WEBHOOK_URL or TOLLGATE_SMTP_URL, then restart.',
    ways: { webhook: 'Webhook', mail: 'Email' },
    delivered: (way: string, ms: string) => `${way}: delivered in ${ms}.`,
    failed: (way: string, why: string) => `${way}: not delivered (${why}).`,
  },
  environment: {
    title: 'Environment',
    search: 'Search variables',
    lead: 'Read when a node starts. To apply a change, restart every node. These are the values of the node that served this page.',
    parts: {
      server: 'Server',
      alerts: 'Alerts and mail',
      backups: 'Backups',
      retention: 'Retention',
      sign_in: 'Sign-in',
      telemetry: 'OpenTelemetry',
    },
    sources: { environment: 'Environment', secret_file: 'Secret file', default: 'Default' },
    secret: 'Set, hidden',
    unset: (standard: string) => `Default: ${standard}`,
    onlySet: 'Show only variables that are set',
    count: (set: string, all: string) => `${set} of ${all} set`,
  },
  /** The API says it in English, with the marks of our documents. */
  variable: (_name: string, meaning: string) =>
    `${meaning.slice(0, 1).toUpperCase()}${meaning.slice(1)}`.replaceAll('`', ''),
  standard: (words: string) => words.replaceAll('`', ''),
}

/** The name of a setting inside a sentence: all but the names of products begin with a small letter there. */
export function inSentence(name: string): string {
  return PRODUCTS.has(name) ? name : `${name.charAt(0).toLowerCase()}${name.slice(1)}`
}

const PRODUCTS: ReadonlySet<string> = new Set(['Stripe', 'Epay'])
