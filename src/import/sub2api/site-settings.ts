import type { ImportNotes } from '../import-notes.ts'
import { isSetColumn } from '../left-behind.ts'
import { type SourceReader, textIn } from '../source.ts'

/** What of the site has a setting here as well, or gives money or rights to people: by the beginnings of names. */
const OF_THE_SITE =
  /^(?:site_|smtp_|registration_|email_verify|invitation_code|password_reset|totp_|oidc_|default_|turnstile_|payment_|affiliate_|promo_|balance_low|maintenance|backend_mode|openai_fast|rate_limit|pricing_|channel_)/

/** Settings, by their names: what they say may be a secret. Those of how sub2api itself runs are counted. */
export async function noteSettings(source: SourceReader, notes: ImportNotes): Promise<void> {
  let others = 0
  for await (const row of source.rows('settings', ['key', 'value'])) {
    if (!isSetColumn(row, 'value')) continue
    const name = textIn(row, 'key')
    if (OF_THE_SITE.test(name))
      notes.note('settings', name, 'are settings that are not carried: see what of them is wanted here')
    else others += 1
  }
  if (others > 0) notes.note('settings', null, `${others} more, of how sub2api itself runs: not carried`)
}
