import { useLocation } from '@tanstack/react-router'
import { ApiProblem } from '../api/api-problem.ts'

/** The round trip to the OIDC provider ends in the console when it failed, with `#error=<code>`; null: it did not. */
export function useRefusalOfProvider(): ApiProblem | null {
  const hash = useLocation({ select: (location) => location.hash })
  const code = new URLSearchParams(hash.replace(/^#/, '')).get('error')
  return code === null || !/^[a-z_]{1,60}$/.test(code) ? null : new ApiProblem({ status: 400, code, detail: code })
}
