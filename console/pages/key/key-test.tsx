import { useLocation } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { useTexts } from '../../dictionaries/texts.ts'
import { useDiagnose } from '../../shell/use-diagnose.ts'
import { Button } from '../../ui/button.tsx'
import { Section } from '../../ui/section.tsx'
import { KeyChecks } from '../keys/key-checks.tsx'
import { KEY_TEST } from '../keys/key-test-hash.ts'
import { TryLink } from '../try-link.tsx'

/** Where a key is tested: what it may call, a small real message, and what an error says that came of it. */
export function KeyTest({ keyId }: { readonly keyId: string }): ReactNode {
  const t = useTexts('key').testing
  const diagnose = useDiagnose()
  const element = useRef<HTMLDivElement>(null)
  // A link to this part of the page comes before its data.
  const isMeant = useLocation({ select: ({ hash }) => hash === KEY_TEST })
  useEffect(() => {
    if (isMeant) element.current?.scrollIntoView({ block: 'center' })
  }, [isMeant])
  return (
    <div ref={element}>
      <Section
        title={t.title}
        actions={
          <>
            <TryLink keyId={keyId} />
            <Button icon="diagnose" onClick={() => diagnose()}>
              {t.diagnose}
            </Button>
          </>
        }
      >
        <KeyChecks keyId={keyId} />
      </Section>
    </div>
  )
}
