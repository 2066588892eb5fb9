"""One run of `ask`: what is left to ask, the engine at work, the result as rows.

The same engine as a night's, with a journal in memory and a pace of its own.
"""

import asyncio
import contextlib
import random
import signal
from collections.abc import Callable, Iterator, Sequence

from brand_visibility.adapters.asking.folder import AnswerFolder, Earlier
from brand_visibility.adapters.asking.memory_journal import MemoryJournal
from brand_visibility.adapters.asking.question_file import FileQuestion
from brand_visibility.adapters.asking.tables import (
    Row,
    answer_row,
    attempt_rows,
    failure_row,
    query_id_of,
)
from brand_visibility.adapters.asking.target import Target
from brand_visibility.adapters.platforms.http import HttpSender
from brand_visibility.collection.clock import AsyncioClock
from brand_visibility.collection.collector import Collector
from brand_visibility.collection.pacing import LocalPace
from brand_visibility.collection.ports import Pending
from brand_visibility.collection.summary import Summary
from brand_visibility.domain.planning import API_CHANNEL, SHARD_KEYS, Query, identify
from brand_visibility.domain.retry import RetryRules

_STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Session:
    """Asks what a folder does not answer yet, and keeps every answer it gets."""

    def __init__(
        self,
        target: Target,
        questions: Sequence[FileQuestion],
        earlier: Earlier,
        *,
        on_progress: Callable[[Summary], None] | None = None,
    ) -> None:
        self._target = target
        self._questions = questions
        self._earlier = earlier
        self._on_progress = on_progress
        self._journal = MemoryJournal()
        self._clock = AsyncioClock()

    def pending(self) -> list[Pending]:
        """Return one query for each distinct text that has no answer yet."""
        return [
            Pending(self._query(question))
            for question in self._distinct()
            if question.prompt not in self._earlier.answers
        ]

    async def run(self) -> None:
        """Ask. The first signal drains what is in flight, a second one abandons it."""
        target = self._target
        async with HttpSender(target.platform, target.keys, target.base_url) as sender:
            collector = Collector(
                accounts=target.platform.accounts,
                pace=lambda account: LocalPace(account.limits.rate_per_second, self._clock),
                sender=sender,
                journal=self._journal,
                rules=RetryRules(target.platform.retry),
                clock=self._clock,
                rng=random.Random(),  # noqa: S311 - jitter, no secret
                on_progress=self._on_progress,
            )
            with _stopping(collector.request_stop):
                await collector.run(self.pending())

    def answers(self) -> list[Row]:
        """Return a row for each answered question, in the file's order."""
        rows = (self._answer(question) for question in self._questions)
        return [row for row in rows if row is not None]

    def failures(self) -> list[Row]:
        """Return a row for each question without an answer, in the file's order."""
        now = self._clock.now()
        return [
            failure_row(question, self._target.platform.model, self._journal, now)
            for question in self._questions
            if not self._is_answered(question)
        ]

    def attempts(self) -> list[Row]:
        """Return a row for each call, under the first question that it served."""
        return [
            row
            for question in self._distinct()
            for row in attempt_rows(question, self._target.platform.model, self._journal)
        ]

    def save(self, folder: AnswerFolder) -> None:
        """Write what is known, whatever became of the run: it may have been paid for."""
        folder.write(
            answers=self.answers(),
            failures=self.failures(),
            attempts=[*self._earlier.attempts, *self.attempts()],
        )

    @property
    def asked_count(self) -> int:
        """Questions of the file."""
        return len(self._questions)

    @property
    def kept_count(self) -> int:
        """Questions that earlier runs had answered."""
        return sum(question.prompt in self._earlier.answers for question in self._questions)

    def _is_answered(self, question: FileQuestion) -> bool:
        is_known = question.prompt in self._earlier.answers
        return is_known or self._journal.answered(query_id_of(question)) is not None

    def _distinct(self) -> list[FileQuestion]:
        """Return the first question of each text, in the file's order."""
        first: dict[str, FileQuestion] = {}
        for question in self._questions:
            first.setdefault(question.prompt, question)
        return list(first.values())

    def _answer(self, question: FileQuestion) -> Row | None:
        known = self._earlier.answers.get(question.prompt)
        if known is not None:
            return {**known, "question_id": question.question_id}
        query_id = query_id_of(question)
        attempt = self._journal.answered(query_id)
        if attempt is None:
            return None
        count = len(self._journal.attempts_of(query_id))
        return answer_row(question, self._target.platform.model, attempt, count)

    def _query(self, question: FileQuestion) -> Query:
        prompt_id = identify(question.prompt)
        return Query(
            query_id=query_id_of(question),
            plan_date=self._clock.now().date(),
            platform_id=self._target.platform.platform_id,
            channel=API_CHANNEL,
            prompt_id=prompt_id,
            prompt=question.prompt,
            repeat=0,
            priority=0,
            shard_key=int(prompt_id[:8], 16) % SHARD_KEYS,
        )


@contextlib.contextmanager
def _stopping(request_stop: Callable[[], None]) -> Iterator[None]:
    """Let the first SIGINT or SIGTERM stop gracefully and the second one at once."""
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    hurried: list[asyncio.Task[object]] = []

    def hurry() -> None:
        if task is not None and not hurried:
            hurried.append(task)
            task.cancel()

    def stop() -> None:
        request_stop()
        _on_signals(loop, hurry)

    _on_signals(loop, stop)
    try:
        yield
    except asyncio.CancelledError:
        # What had ended is committed; only a cancellation of our own ends here.
        if not hurried:
            raise
        hurried[0].uncancel()
    finally:
        for number in _STOP_SIGNALS:
            loop.remove_signal_handler(number)


def _on_signals(loop: asyncio.AbstractEventLoop, handler: Callable[[], None]) -> None:
    for number in _STOP_SIGNALS:
        loop.add_signal_handler(number, handler)
