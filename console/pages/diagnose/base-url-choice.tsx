import type { ReactNode } from 'react'
import { useTexts } from '../../dictionaries/texts.ts'
import { CopyField } from '../../ui/copy-field.tsx'

/** The gateway's base URLs to copy, for the two kinds of clients. */
export function BaseUrlChoice({ origin }: { readonly origin: string }): ReactNode {
  const t = useTexts('diagnose')
  return (
    <div className="mt-3 grid gap-3 sm:grid-cols-2">
      <CopyField label={t.openaiUrl} value={`${origin}/v1`} />
      <CopyField label={t.anthropicUrl} value={origin} />
    </div>
  )
}
