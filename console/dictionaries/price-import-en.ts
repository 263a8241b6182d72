import { plural } from './plural.ts'
import { UNREACHABLE_EN } from './unreachable.ts'

export const texts = {
  title: 'Import prices',
  lead: 'Compare your prices with a catalog, and import the ones you select. Only existing models change; none are added.',
  back: 'Models & prices',
  source: {
    title: 'Catalog',
    lead: 'LiteLLM’s model_prices_and_context_window.json, models.dev’s api.json, or /api.json of another Tollgate. A file is read in your browser and isn’t uploaded.',
    file: 'File',
    fileHint: 'A JSON file. The format is detected.',
    text: 'Or paste its content',
    action: 'Compare',
    url: 'URL of another Tollgate, or of a price list',
    urlHint:
      'For example https://tollgate.example.com. The gateway fetches it without a key, so another Tollgate lists the models that every account can call there, with what it charges for them.',
    urlWithLogin: 'Leave the user name and password out of the URL.',
    fetch: 'Fetch prices',
    asked: (url: string) => `Asked: ${url}`,
    fetchFailures: {
      ...UNREACHABLE_EN,
      too_slow: 'It took longer than 10 seconds.',
      redirect: 'It redirects to another URL. Enter the final one.',
      too_large: 'It’s larger than 4 MB.',
      not_json: 'The response isn’t JSON. Enter the URL of the list itself, not of a page that shows it.',
      unknown_form: 'The response isn’t a price list of LiteLLM, models.dev or Tollgate.',
    },
    fetchStatus: (status: number) => `It responded with status ${status}. Check the URL.`,
    shipped: 'Use built-in prices',
    shippedHint: 'List prices bundled with this version. Works offline.',
    objections: {
      required: 'Choose a file, or paste its content.',
      too_large: 'This file is too large for a catalog of prices.',
      no_json: 'This isn’t JSON. Copy the whole file, from the first to the last brace.',
      unknown_form: 'This isn’t a catalog of LiteLLM, models.dev or Tollgate.',
      no_prices: 'This catalog has no prices.',
    },
  },
  forms: { litellm: 'LiteLLM', models_dev: 'models.dev', tollgate: 'Tollgate', shipped: 'Built-in prices' },
  read: (form: string, count: number) =>
    plural(count, { one: `${form}: 1 model with a price`, other: `${form}: ${count} models with prices` }),
  provider: 'Provider',
  allProviders: 'All providers',
  other: 'Use another catalog',
  none: 'No prices differ',
  noneText: 'Your prices match this catalog, or it doesn’t list your models.',
  list: 'Models with a different price',
  selectFirst: (count: number) => `Select the ${count} models without a price`,
  otherRules: 'Prices of long prompts, service tiers, regions or tool calls differ.',
  limits: { context: 'Context', output: 'Max output' },
  held: {
    first: 'Not selected: it has no price yet, and would become available.',
    zero: 'Not selected: a price changes to or from zero.',
    far: 'Not selected: a price changes by a factor of three or more.',
    limit: 'Not selected: a limit decreases.',
    partial: 'Not selected: part of its price can’t be imported, so a request may cost you more than you charge.',
    alias: 'Not selected: this name is an alias. Check that the catalog means the same model.',
  },
  effect: {
    working: 'Calculating the effect on last week’s traffic…',
    text: (amount: string, share: string) => `Based on the last 7 days: ${amount} (${share}).`,
    noUse: 'These models weren’t used in the last 7 days.',
    without: (count: number) =>
      plural(count, { one: '1 model isn’t counted.', other: `${count} models aren’t counted.` }),
  },
  apply: (count: number) => plural(count, { one: 'Save 1 price', other: `Save ${count} prices` }),
  confirm: (count: number) => plural(count, { one: 'Save 1 price?', other: `Save ${count} prices?` }),
  confirmText:
    'They apply to new requests immediately. Requests in progress keep the price they started with. Prices changed since the comparison aren’t overwritten, and you can undo the import.',
  plan: (count: number) => plural(count, { one: 'Schedule 1 price', other: `Schedule ${count} prices` }),
  confirmPlan: (count: number) => plural(count, { one: 'Schedule 1 price?', other: `Schedule ${count} prices?` }),
  confirmPlanText: (time: string) =>
    `They apply to requests that start after ${time}. A price that is already scheduled for one of these models is replaced. Prices changed since the comparison are left alone.`,
  planned: (count: number) =>
    plural(count, {
      one: '1 price scheduled. You can cancel it on the page of its model.',
      other: `${count} prices scheduled. You can cancel each on the page of its model.`,
    }),
  saved: (count: number) => plural(count, { one: '1 price saved.', other: `${count} prices saved.` }),
  undo: 'Undo the import',
  undone: 'Restored the prices and limits from before the import.',
  pricesOnly:
    'Your role can change prices only, so context and output limits aren’t imported. Someone who can change models can import them.',
  notTakenBack: {
    changed: 'It has changed since the import, so it wasn’t undone.',
    limits: 'The import also changed its limits, which your role can’t change, so it wasn’t undone. Ask an admin.',
  },
  history: {
    title: 'Past imports',
    lead: 'Undo restores prices not edited since.',
    none: 'No imports yet.',
    over: 'Nothing left to undo.',
    standing: (count: number, names: string) =>
      plural(count, {
        one: `1 model unchanged since the import: ${names}`,
        other: `${count} models unchanged since the import: ${names}`,
      }),
    confirm: (count: number) =>
      plural(count, { one: 'Undo the import of 1 model?', other: `Undo the import of ${count} models?` }),
    confirmText: 'Their earlier prices and limits apply to new requests immediately.',
  },
  failed: (name: string, why: string) => `${name}: ${why}`,
  left: {
    same: (count: number) =>
      plural(count, { one: '1 model already has this price.', other: `${count} models already have these prices.` }),
    ambiguous: (names: string, more: number) =>
      `Providers have different prices. Choose one above: ${names}${more === 0 ? '' : ` and ${more} more`}.`,
    missing: (names: string, more: number) => `Not in this catalog: ${names}${more === 0 ? '' : ` and ${more} more`}.`,
    locked: (names: string, more: number) =>
      `Different in this catalog, but the price is locked: ${names}${more === 0 ? '' : ` and ${more} more`}.`,
    managed: (names: string, more: number) =>
      `Managed in the configuration file, so change them there: ${names}${more === 0 ? '' : ` and ${more} more`}.`,
    partial: (names: string, more: number) =>
      `Already have these prices, but the provider also charges for what can’t be imported: ${names}${more === 0 ? '' : ` and ${more} more`}.`,
  },
  leftOut: {
    title: 'Left out of this catalog',
    models: (count: number) =>
      plural(count, {
        one: '1 model left out, because none of its prices can be imported.',
        other: `${count} models left out, because none of their prices can be imported.`,
      }),
    prices: (count: number, why: string, fields: string) =>
      plural(count, {
        one: `1 price left out, because ${why}: ${fields}.`,
        other: `${count} prices left out, because ${why}: ${fields}.`,
      }),
    fields: (names: string, more: number) => `${names}${more === 0 ? '' : ` and ${more} more`}`,
    ofModel: (fields: string, why: string) => `Not imported, because ${why}: ${fields}.`,
    why: {
      unknown: 'this version doesn’t know what it’s for',
      unreadable: 'it isn’t an amount',
      not_counted: 'the gateway doesn’t count what it’s for',
      no_price_apart: 'these tokens are charged like others here',
      region: 'a price here is the same in every region',
      time_of_day: 'a price here is the same at any time of day',
      stored: 'storage isn’t charged per request',
      other_unit: 'it’s another price in a different unit',
    },
  },
}
