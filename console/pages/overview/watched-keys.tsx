import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Overview } from '../../../src/contract/overview.ts'
import { useTexts } from '../../dictionaries/texts.ts'
import { shareOf } from '../../format/money.ts'
import { useFormat } from '../../format/use-format.ts'
import { PATHS } from '../../paths.ts'
import { Meter } from '../../ui/meter.tsx'
import { Section } from '../../ui/section.tsx'
import { useNow } from '../../ui/use-now.ts'
import { watchedText } from '../../shell/notices/watched-text.ts'

type Watched = Overview['keys'][number]

const MOST_SHOWN = 6

/** Keys that are near a limit or their end, or past it. */
export function WatchedKeys({ keys }: Pick<Overview, 'keys'>): ReactNode {
  const t = useTexts('overview').keys
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
          {keys.slice(0, MOST_SHOWN).map((key) => (
            <li key={`${key.id} ${key.why} ${key.window ?? ''}`} className="min-w-0">
              <Link
                to={PATHS.key}
                params={{ keyId: key.id }}
                className="line-clamp-2 font-medium text-accent hover:underline"
              >
                {key.name}
              </Link>
              <WatchedWhy watched={key} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

function WatchedWhy({ watched }: { readonly watched: Watched }): ReactNode {
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
