import type { ReactNode } from 'react'
import type { OneTimeLink } from '../../../api/accounts.ts'
import { useSharedTexts, useTexts } from '../../../dictionaries/texts.ts'
import { useFormat } from '../../../format/use-format.ts'
import { CopyButton } from '../../../ui/copy-button.tsx'

/** A link to pass on; it lives in this dialog alone. */
export function ShownLink({ link }: { readonly link: OneTimeLink }): ReactNode {
  const t = useTexts('accounts')
  const { sentences } = useSharedTexts()
  const format = useFormat()
  return (
    <div className="grid gap-3">
      <p role="status" className="text-ink-2">
        {sentences([
          t.link.once,
          ...(link.was_mailed ? [t.link.mailed] : []),
          t.link.until(format.time(link.expires_at)),
        ])}
      </p>
      {link.url !== null && (
        <div className="flex flex-wrap items-center justify-end gap-3">
          <code className="min-w-0 flex-1 basis-56 font-mono text-sm break-all select-all">{link.url}</code>
          <CopyButton look="primary" what={t.invited.copy} label={t.invited.copy} text={link.url} />
        </div>
      )}
    </div>
  )
}
