const RULES = new Intl.PluralRules('en')

/** The English form for a count. Chinese has one form and needs no such thing. */
export function plural(count: number, forms: { readonly one: string; readonly other: string }): string {
  return RULES.select(count) === 'one' ? forms.one : forms.other
}
