/** What someone writes to the admins: in words first, then the facts by which they find the request. Never a secret. */
export interface SupportMessage {
  readonly subject: string
  /** The first says what it is about, and is always in it. */
  readonly words: readonly string[]
  /** Names with their values, in the reader's language; null and empty: not known. */
  readonly facts: readonly (readonly [name: string, value: string | null])[]
}

/** Programs for email and servers cut longer links off. */
const LONGEST_LINK = 1_900

/** The whole message as text. */
export function messageText({ words, facts }: Omit<SupportMessage, 'subject'>): string {
  return [...words, ...factLines(facts)].join('\n')
}

/** The facts alone. */
export function factText({ facts }: Pick<SupportMessage, 'facts'>): string {
  return factLines(facts).join('\n')
}

/**
 * A link that begins the message at the admins' address: a `mailto:` one, or their page with {subject} and {body} filled in.
 * Of a message that is too long for a link, the first sentence and the facts stay.
 */
export function supportLink(address: string, message: SupportMessage): string {
  const full = linkWith(address, message.subject, messageText(message))
  if (full.length <= LONGEST_LINK) return full
  const short = messageText({ words: message.words.slice(0, 1), facts: message.facts })
  return linkWith(address, message.subject, short)
}

/** Whether the message is in the link; else it is to be copied. */
export function takesMessage(address: string): boolean {
  return isMail(address) || address.includes('{body}')
}

export function isMail(address: string): boolean {
  return !address.startsWith('https:')
}

function linkWith(address: string, subject: string, text: string): string {
  // RFC 6068: lines end with both.
  const body = encodeURIComponent(isMail(address) ? text.replaceAll('\n', '\r\n') : text)
  const about = encodeURIComponent(subject)
  if (isMail(address)) return `mailto:${address}?subject=${about}&body=${body}`
  return address.replace(/\{(subject|body)\}/g, (_, name: string) => (name === 'body' ? body : about))
}

function factLines(facts: SupportMessage['facts']): readonly string[] {
  return facts.flatMap(([name, value]) => (value === null || value === '' ? [] : [`${name}: ${value}`]))
}
