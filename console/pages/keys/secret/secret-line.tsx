import { useEffect, useRef, type ReactNode } from 'react'
import { useTexts } from '../../../dictionaries/texts.ts'
import { CopyButton } from '../../../ui/copy-button.tsx'

/** The secret itself, large, with the button that copies it: the next thing to press, so it has the focus. */
export function SecretLine({ secret, onCopied }: { readonly secret: string; onCopied(): void }): ReactNode {
  const t = useTexts('keys').secret
  const line = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // After the dialog has put the focus where it thinks it belongs.
    const frame = requestAnimationFrame(() => line.current?.querySelector('button')?.focus({ preventScroll: true }))
    return () => cancelAnimationFrame(frame)
  }, [])
  return (
    <div
      ref={line}
      className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-lg border border-accent bg-accent-soft py-2 pr-2 pl-3"
    >
      <div className="min-w-0 flex-1 basis-64">
        <div className="text-xs text-ink-2">{t.label}</div>
        <code className="font-mono break-all select-all">{secret}</code>
      </div>
      <div className="max-sm:grow max-sm:[&>button]:w-full">
        <CopyButton text={secret} what={t.copy} label={t.copy} look="primary" onCopied={onCopied} />
      </div>
    </div>
  )
}
