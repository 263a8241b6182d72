import type { AuditEntryView } from '../../src/contract/administration.ts'
import type { PageTexts } from '../dictionaries/page-texts.ts'

/** What an entry of the audit says was done, with the name of the object: "Key changed · nightly report". */
export function sentenceOf(t: PageTexts['audit'], entry: AuditEntryView): string {
  return [t.sentences[entry.action] ?? entry.action, objectOf(entry)].filter((part) => part !== null).join(' · ')
}

/** What the object is called; of one that is gone, what it was called. null: it never had a name. */
export function objectOf(entry: AuditEntryView): string | null {
  const { subject_name: name, account_email: email, changes } = entry
  const { name: named, title, credential } = changes
  const was = [named?.after, named?.before, firstOf(title?.after), firstOf(title?.before)]
  const known = name ?? was.find((each) => typeof each === 'string') ?? email
  const part = entry.action === 'upstream.credential' && typeof credential?.after === 'string' ? credential.after : null
  return known === null || part === null ? known : `${known} / ${part}`
}

/** A title that is written in several languages, in the first of them. */
function firstOf(title: unknown): unknown {
  return typeof title === 'object' && title !== null ? Object.values(title).find((text) => text !== '') : undefined
}
