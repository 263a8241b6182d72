import { useQuery } from '@tanstack/react-query'
import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import type { KeySetup } from '../../../../src/contract/setup.ts'
import { keySetupQuery } from '../../../api/key-setup.ts'
import type { MadeKey } from '../../../api/keys.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { CodeBlock } from '../../../ui/code-block.tsx'
import { Button } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { SkeletonLines } from '../../../ui/skeleton.tsx'
import { Tabs } from '../../../ui/tabs.tsx'
import { KeyChecks } from '../key-checks.tsx'
import { ImportGuide } from '../set-up/import-guide.tsx'
import { useListedModels } from '../set-up/listed-models.ts'
import { SetUpGuide } from '../set-up/set-up-guide.tsx'
import { environmentText } from './environment-text.ts'

const LinkCode = lazyPart(() => import('../set-up/link-code.tsx'), <div className="size-48" />)

type View = 'setUp' | 'environment' | 'import' | 'test'

const VIEWS: readonly View[] = ['setUp', 'environment', 'import', 'test']

/** The secret of a key that was just made, and every form in which it is needed. */
export function SecretShown(props: {
  readonly made: MadeKey
  readonly note: string | null
  onCopied(): void
}): ReactNode {
  const t = useTexts('keys').secret
  const { key, secret } = props.made
  const setup = useQuery(keySetupQuery(key.id, useListedModels()))
  const [view, setView] = useState<View>('setUp')
  if (secret === null) return <Notice tone="warn">{t.lost}</Notice>
  return (
    <div className="grid grid-cols-1 gap-4">
      <div className="grid grid-cols-1 gap-2">
        <SecretLine secret={secret} onCopied={props.onCopied} />
        <p className="text-sm text-ink-2">
          {t.once} {props.note}
        </p>
      </div>
      <QueryView query={setup} skeleton={<SkeletonLines count={6} />}>
        {(data) => (
          <div>
            <Tabs<View>
              label={t.label}
              tabs={VIEWS.map((value) => ({ value, label: t[value] }))}
              value={view}
              onValue={setView}
            >
              <Suspense fallback={<SkeletonLines count={6} />}>
                <OneView {...props} view={view} setup={data} secret={secret} />
              </Suspense>
            </Tabs>
          </div>
        )}
      </QueryView>
    </div>
  )
}

function OneView(props: {
  readonly view: View
  readonly made: MadeKey
  readonly setup: KeySetup
  readonly secret: string
  onCopied(): void
}): ReactNode {
  const t = useTexts('keys').secret
  const { made, setup, secret, onCopied } = props
  switch (props.view) {
    case 'setUp':
      return <SetUpGuide setup={setup} secret={secret} onCopied={onCopied} />
    case 'environment':
      return (
        <div className="grid grid-cols-1 gap-2">
          <CodeBlock title=".env" text={environmentText({ key: made.key, setup, secret })} onCopied={onCopied} />
          <p className="text-sm text-ink-3">{t.environmentLead}</p>
        </div>
      )
    case 'import':
      return <ImportGuide setup={setup} secret={secret} />
    case 'test':
      return <KeyChecks keyId={made.key.id} />
  }
}

/** The secret itself, large, with the button that copies it: the next thing to press, so it has the focus. A phone reads it from a code. */
function SecretLine({ secret, onCopied }: { readonly secret: string; onCopied(): void }): ReactNode {
  const { secret: t, importing } = useTexts('keys')
  const [isCodeShown, setCodeShown] = useState(false)
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
        <code className="font-mono text-sm break-all select-all">{secret}</code>
      </div>
      <div className="flex flex-wrap gap-2 max-sm:grow max-sm:[&>button]:grow">
        <CopyButton text={secret} what={t.copy} label={t.copy} look="primary" onCopied={onCopied} />
        <Button aria-expanded={isCodeShown} onClick={() => setCodeShown(!isCodeShown)}>
          {isCodeShown ? importing.hideCode : importing.showCode}
        </Button>
      </div>
      {isCodeShown && (
        <div className="grid basis-full grid-cols-1 gap-2 pr-1 pb-1">
          <LinkCode text={secret} label={t.code} />
          <p className="text-sm text-ink-2">{t.codeHint}</p>
        </div>
      )}
    </div>
  )
}
