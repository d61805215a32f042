/**
 * What a search in memories finds, and in which order, whatever keeps them. Layer 4.
 */

const segmenter = new Intl.Segmenter(undefined, { granularity: "word" })

/** The words of a text, in any script, without regard to case. */
export const wordsOf = (text: string): ReadonlySet<string> =>
  new Set(
    [...segmenter.segment(text.normalize("NFKC").toLowerCase())]
      .flatMap(({ isWordLike, segment }) => isWordLike === true ? [segment] : [])
  )

/** A memory that may be found: the words of the query that are in it, and when it was said. */
export interface Candidate {
  readonly words: ReadonlySet<string>
  readonly time: number
}

/**
 * The candidates that share words with a query: those with more and rarer ones first, of equal ones the newer first.
 * The candidates hold all memories with a word of the query, out of `total`.
 */
export const ranked = <A extends Candidate>(
  query: ReadonlySet<string>,
  candidates: ReadonlyArray<A>,
  total: number,
  limit = 10
): ReadonlyArray<A> => {
  const weights = [...query].map((word) => {
    const holders = candidates.filter(({ words }) => words.has(word)).length
    return { word, weight: Math.log(1 + total / Math.max(holders, 1)) }
  })
  return candidates
    .map((candidate) => ({
      candidate,
      score: weights.reduce((sum, { word, weight }) => candidate.words.has(word) ? sum + weight : sum, 0)
    }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || b.candidate.time - a.candidate.time)
    .slice(0, Math.max(0, Math.floor(limit)))
    .map(({ candidate }) => candidate)
}
