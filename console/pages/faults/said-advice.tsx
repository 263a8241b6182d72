import { lazyPart } from '../../ui/lazy-part.tsx'

/** What to do about a provider’s words, where they are a cloud’s and known; loaded where a provider said something. */
export const SaidAdvice = lazyPart(() => import('./cloud-advice.tsx'), null, { isForFew: true })
