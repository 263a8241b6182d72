import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ADMIN_PATHS } from '../../../admin-pages.ts'
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

/** Shows admins of a gateway that no provider is connected to how to serve real models. */
export default function ConnectProvider({ isDemo }: { readonly isDemo: boolean }): ReactNode {
  const t = useTexts('start').provider
  return (
    <div className="grid max-w-3xl grid-cols-1 gap-3">
      <Section
        title={t.title}
        lead={isDemo ? t.leadDemo : t.lead}
        actions={
          <Link
            to={ADMIN_PATHS.upstreams}
            search={{ new: 'upstream' }}
            className={buttonClass(isDemo ? 'secondary' : 'primary')}
          >
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
