import { useQuery } from '@tanstack/react-query'
import { Suspense, useRef, useState, type ReactNode } from 'react'
import type { ApiKeyView } from '../../../src/contract/keys.ts'
import type { KeySetup } from '../../../src/contract/setup.ts'
import { keySetupQuery } from '../../api/key-setup.ts'
import { useTexts } from '../../dictionaries/texts.ts'
import { Drawer } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { SkeletonLines } from '../../ui/skeleton.tsx'
import { ImportGuide } from './set-up/import-guide.tsx'
import { SecretEntry } from './set-up/secret-entry.tsx'
import { usableSecret } from './set-up/secret-fit.ts'
import { SetUpGuide } from './set-up/set-up-guide.tsx'
import { useListedModels } from './set-up/listed-models.ts'

interface UseKeyProps {
  readonly apiKey: ApiKeyView
  onClose(): void
}

/** How each client is set up with a key. */
export function UseKey(props: UseKeyProps): ReactNode {
  const t = useTexts('keys')
  return (
    <KeyDrawer {...props} title={t.setUp.drawerTitle(props.apiKey.name)}>
      {(setup, { secret, onCopied }) => (
        <>
          <SetUpGuide setup={setup} secret={secret} onCopied={onCopied} />
          <Notice>{t.setUp.keepIt}</Notice>
        </>
      )}
    </KeyDrawer>
  )
}

/** Links that put a key into a program. */
export function ImportKey(props: UseKeyProps): ReactNode {
  const t = useTexts('keys')
  return (
    <KeyDrawer {...props} title={t.importing.drawerTitle(props.apiKey.name)}>
      {(setup, { secret }) => <ImportGuide setup={setup} secret={secret} />}
    </KeyDrawer>
  )
}

/** A drawer about a key whose secret may be pasted: it stays in this component, and goes with it. */
function KeyDrawer(
  props: UseKeyProps & {
    readonly title: string
    children(setup: KeySetup, at: { readonly secret: string | null; onCopied(): void }): ReactNode
  },
): ReactNode {
  const { apiKey } = props
  const setup = useQuery(keySetupQuery(apiKey.id, useListedModels()))
  const [pasted, setPasted] = useState('')
  const [isMissed, setMissed] = useState(false)
  const entry = useRef<HTMLDivElement>(null)
  const secret = usableSecret(pasted, apiKey)
  // A block without its secret looks whole: its reader is led to what is missing.
  const onCopied = (): void => {
    if (secret !== null) return
    setMissed(true)
    entry.current?.querySelector('input')?.focus()
  }
  return (
    <Drawer isOpen onClose={props.onClose} title={props.title}>
      <div className="grid grid-cols-1 gap-5">
        <div ref={entry} className="scroll-mt-4">
          <SecretEntry apiKey={apiKey} pasted={pasted} isMissed={isMissed} onPasted={setPasted} />
        </div>
        <QueryView query={setup} skeleton={<SkeletonLines count={9} />}>
          {(data) => (
            <Suspense fallback={<SkeletonLines count={9} />}>{props.children(data, { secret, onCopied })}</Suspense>
          )}
        </QueryView>
      </div>
    </Drawer>
  )
}
