import type { ReactNode } from 'react'
import type { OneTimeLink } from '../../../api/accounts.ts'
import { useSharedTexts, useTexts } from '../../../dictionaries/texts.ts'
import { useFormat } from '../../../format/use-format.ts'
import { CopyField } from '../../../ui/copy-field.tsx'
import { Notice } from '../../../ui/notice.tsx'

/** A link to pass on; it lives in this dialog alone. */
export function ShownLink({ link }: { readonly link: OneTimeLink }): ReactNode {
  const t = useTexts('accounts').link
  const { sentences } = useSharedTexts()
  const format = useFormat()
  return (
    <div className="grid gap-3">
      <Notice tone="warn" isLive>
        {sentences([t.once, ...(link.was_mailed ? [t.mailed] : []), t.until(format.time(link.expires_at))])}
      </Notice>
      {link.url !== null && <CopyField label={t.label} value={link.url} />}
    </div>
  )
}
