import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Overview } from '../../../src/contract/overview.ts'
import { useTexts } from '../../dictionaries/texts.ts'
import { shareOf } from '../../format/money.ts'
import { useFormat } from '../../format/use-format.ts'
import { PATHS } from '../../paths.ts'
import { watchedText } from '../../shell/notices/notice-text.ts'
import { Meter } from '../../ui/meter.tsx'
import { Section } from '../../ui/section.tsx'
import { useNow } from '../../ui/use-now.ts'
import { type WatchedKey, watchedParts } from './watched-parts.ts'

const MOST_SHOWN = 6
const MOST_NAMED = 3

/** Keys that are near a limit or their end, or past it: each once, and those whose quota is used up in one line. */
export function WatchedKeys({ keys }: Pick<Overview, 'keys'>): ReactNode {
  const t = useTexts('overview').keys
  const { spent, others } = watchedParts(keys)
  return (
    <Section
      title={t.title}
      actions={
        <Link to={PATHS.keys} className="text-sm text-accent hover:underline">
          {t.all}
        </Link>
      }
    >
      {keys.length === 0 ? (
        <p className="text-ink-2">{t.none}</p>
      ) : (
        <ul className="grid gap-3">
          {others.slice(0, MOST_SHOWN).map(([key, ...more]) => (
            <li key={key.id} className="min-w-0">
              <KeyLink of={key} />
              {[key, ...more].map((why) => (
                <WatchedWhy key={`${why.why} ${why.window ?? ''}`} watched={why} />
              ))}
            </li>
          ))}
          {spent.length > 0 && <SpentKeys keys={spent} />}
        </ul>
      )}
    </Section>
  )
}

function KeyLink({ of }: { readonly of: WatchedKey }): ReactNode {
  return (
    <Link to={PATHS.key} params={{ keyId: of.id }} className="line-clamp-2 font-medium text-accent hover:underline">
      {of.name}
    </Link>
  )
}

function SpentKeys({ keys }: { readonly keys: readonly WatchedKey[] }): ReactNode {
  const t = useTexts('overview').keys
  const format = useFormat()
  const [key] = keys
  if (key === undefined) return null
  const names = keys.map(({ name }) => name)
  return (
    <li className="min-w-0">
      {keys.length === 1 ? (
        <KeyLink of={key} />
      ) : (
        <Link to={PATHS.keys} className="font-medium text-accent hover:underline">
          {t.spentKeys(keys.length)}
        </Link>
      )}
      <p className="line-clamp-2 text-sm text-ink-2" title={format.list(names)}>
        {keys.length === 1 ? t.spentKey : format.few(names, MOST_NAMED)}
      </p>
    </li>
  )
}

function WatchedWhy({ watched }: { readonly watched: WatchedKey }): ReactNode {
  const t = useTexts('overview').keys
  const format = useFormat()
  const { text, resets, isOver } = watchedText(watched, { t, format, nowMs: useNow() })
  if (watched.used === null || watched.limit === null) {
    return <p className={isOver ? 'text-sm text-bad' : 'text-sm text-warn'}>{text}</p>
  }
  return (
    <>
      <p className="mb-1 text-sm text-ink-2">
        {text}
        {resets !== null && <span className="text-ink-3"> · {resets}</span>}
      </p>
      <Meter share={shareOf(watched.used, watched.limit)} label={watched.name} />
    </>
  )
}
