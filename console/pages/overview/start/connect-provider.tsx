import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ADMIN_PATHS } from '../../../admin-pages.ts'
import { instanceQuery } from '../../../api/instance.ts'
import { useMay } from '../../../api/use-may.ts'
import { fewUpstreamsQuery } from '../../../api/upstreams.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { buttonClass } from '../../../ui/button.tsx'
import { CodeBlock } from '../../../ui/code-block.tsx'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { Section } from '../../../ui/section.tsx'

/** A provider, a model of it and the group that may call it: as docs/declarative-file.md has them. */
const FILE = `upstreams:
  - name: openai-main
    protocol: openai
    base_url: https://api.openai.com/v1
    credential: \${OPENAI_KEY}
models:
  - name: gpt-5.5
    price: { input: "2.50", output: "10" }
    targets:
      - { upstream: openai-main, model: gpt-5.5 }
groups:
  - { name: team, multiplier: "1", models: ["gpt-5.5"] }
`

const COMMANDS = `export OPENAI_KEY=sk-...
npx tollgate apply tollgate.yaml --dry-run
npx tollgate apply tollgate.yaml`

/** Shows admins of a gateway that has nothing but the demo how to add real models. */
export function ConnectProvider(): ReactNode {
  const t = useTexts('start').provider
  const mayConnect = useMay('catalogue')
  const isDemo = useQuery({ ...instanceQuery, enabled: mayConnect }).data?.demo === true
  const upstreams = useQuery({ ...fewUpstreamsQuery, enabled: mayConnect && isDemo }).data
  // The demo's own is one.
  if (upstreams === undefined || upstreams.data.length > 1) return null
  return (
    <div className="mt-4 grid grid-cols-1 gap-3">
      <Section
        title={t.title}
        lead={t.lead}
        actions={
          <Link to={ADMIN_PATHS.upstreams} search={{ new: 'upstream' }} className={buttonClass('secondary')}>
            {t.action}
          </Link>
        }
      />
      <Disclosure title={t.byFile}>
        <div className="grid grid-cols-1 gap-3">
          <CodeBlock title={t.file} text={FILE} />
          <CodeBlock title={t.check} text={COMMANDS} />
          <p className="text-sm text-ink-3">{t.keep}</p>
        </div>
      </Disclosure>
    </div>
  )
}
