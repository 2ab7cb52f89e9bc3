//! Whose turn is it?
//!
//! A priority queue keyed on the earliest time at which a domain may be asked again (thesis,
//! section 4.1). While one domain has to wait, others are asked. A domain that is being asked is
//! out of the queue until its answer is there; and since times can be put off while it waits in the
//! queue, the time is checked again when it is taken out: if it is not due, it goes back with its
//! later time.
//!
//! There is no clock in here: times are durations since the crawl began, and come from outside.
//!
//! ```
//! use std::time::Duration;
//! use unmold_crawl::schedule::Schedule;
//!
//! let at = Duration::from_millis;
//! let mut schedule = Schedule::default();
//! schedule.offer("a.example", at(0));
//! schedule.offer("b.example", at(0));
//! assert_eq!(schedule.take(at(0)).as_deref(), Some("a.example"));
//! schedule.give_back("a.example", at(1000), true);
//! // While a.example has to wait, b.example fills the gap.
//! assert_eq!(schedule.take(at(10)).as_deref(), Some("b.example"));
//! schedule.give_back("b.example", at(1010), false);
//! assert_eq!(schedule.take(at(999)), None);
//! assert_eq!(schedule.next_time(), Some(at(1000)));
//! assert_eq!(schedule.take(at(1000)).as_deref(), Some("a.example"));
//! ```
//!
//! Cost: the logarithm of the number of domains a step.

use std::{
    cmp::Reverse,
    collections::{BinaryHeap, HashMap},
    time::Duration,
};

/// Domains, by the time at which they may be asked.
#[derive(Clone, Debug, Default)]
pub struct Schedule {
    lanes: HashMap<String, Lane>,
    queue: BinaryHeap<Reverse<Turn>>,
    /// Turns are numbered, so that of domains that are due at the same time the one that has waited
    /// longest comes first.
    turns: u64,
}

#[derive(Clone, Copy, Debug, Default)]
struct Lane {
    earliest: Duration,
    state: LaneState,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum LaneState {
    /// Nothing is asked of it.
    #[default]
    Idle,
    /// It stands in the queue.
    Queued,
    /// It is being asked.
    Busy,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Turn {
    time: Duration,
    number: u64,
    domain: String,
}

impl Schedule {
    /// Says that there is something to ask a domain, from now on or later.
    pub fn offer(&mut self, domain: &str, now: Duration) {
        let lane = self.lanes.entry(domain.to_owned()).or_default();
        if lane.state == LaneState::Idle {
            lane.state = LaneState::Queued;
            let time = lane.earliest.max(now);
            self.push(time, domain.to_owned());
        }
    }

    /// Whether a domain neither waits for its turn nor has it.
    pub fn is_idle(&self, domain: &str) -> bool {
        self.lanes
            .get(domain)
            .is_none_or(|lane| lane.state == LaneState::Idle)
    }

    /// Puts off a domain: it is not asked before.
    pub fn put_off(&mut self, domain: &str, earliest: Duration) {
        let lane = self.lanes.entry(domain.to_owned()).or_default();
        lane.earliest = lane.earliest.max(earliest);
    }

    /// Takes the domain whose turn it is, if there is one. It has no other turn until it is given
    /// back.
    pub fn take(&mut self, now: Duration) -> Option<String> {
        while self
            .queue
            .peek()
            .is_some_and(|Reverse(turn)| turn.time <= now)
        {
            let Reverse(turn) = self.queue.pop()?;
            let lane = self.lanes.get_mut(&turn.domain)?;
            if lane.earliest <= now {
                lane.state = LaneState::Busy;
                return Some(turn.domain);
            }
            // It was put off while it waited.
            let later = lane.earliest;
            self.push(later, turn.domain);
        }
        None
    }

    /// Gives back a domain that was taken, with the earliest time at which it may be asked again,
    /// and whether there is anything left to ask.
    pub fn give_back(&mut self, domain: &str, earliest: Duration, has_more: bool) {
        let lane = self.lanes.entry(domain.to_owned()).or_default();
        lane.earliest = lane.earliest.max(earliest);
        lane.state = if has_more {
            LaneState::Queued
        } else {
            LaneState::Idle
        };
        if has_more {
            let time = lane.earliest;
            self.push(time, domain.to_owned());
        }
    }

    /// When the next turn may be, if any domain waits.
    pub fn next_time(&self) -> Option<Duration> {
        self.queue.peek().map(|Reverse(turn)| turn.time)
    }

    /// How many domains wait for their turn.
    pub fn waiting(&self) -> usize {
        self.queue.len()
    }

    fn push(&mut self, time: Duration, domain: String) {
        self.turns += 1;
        self.queue.push(Reverse(Turn {
            time,
            number: self.turns,
            domain,
        }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LATENCY: Duration = Duration::from_millis(1000);

    /// A crawl without a network: so many requests for each domain, each of which takes a while.
    /// Gives the start and the end of each request, and the time at which all was done.
    fn simulated(
        requests: &[usize],
        parallel: usize,
    ) -> (Vec<(usize, Duration, Duration)>, Duration) {
        let names: Vec<String> = (0..requests.len())
            .map(|at| format!("{at}.example"))
            .collect();
        let mut left = requests.to_vec();
        let (mut schedule, mut log, mut running) = (
            Schedule::default(),
            Vec::new(),
            Vec::<(Duration, usize)>::new(),
        );
        let mut now = Duration::ZERO;
        names.iter().for_each(|name| schedule.offer(name, now));
        loop {
            while running.len() < parallel
                && let Some(domain) = schedule.take(now)
            {
                let at = names.iter().position(|name| *name == domain).unwrap();
                let took = Duration::from_millis(20 + (log.len() * 37 % 160) as u64);
                left[at] -= 1;
                log.push((at, now, now + took));
                running.push((now + took, at));
            }
            let ended = running.iter().map(|(end, _)| *end).min();
            let next = schedule.next_time().filter(|_| running.len() < parallel);
            let Some(then) = [ended, next].into_iter().flatten().min() else {
                break;
            };
            now = then.max(now);
            let (done, still): (Vec<_>, Vec<_>) =
                running.into_iter().partition(|(end, _)| *end <= now);
            running = still;
            done.iter().for_each(|(end, at)| {
                schedule.give_back(&names[*at], *end + LATENCY, left[*at] > 0);
            });
        }
        (log, now)
    }

    #[test]
    fn no_domain_is_asked_twice_within_its_latency_and_all_are_asked() {
        let requests = [7, 1, 30, 12, 12, 3];
        let (log, _) = simulated(&requests, 4);
        assert_eq!(log.len(), requests.iter().sum::<usize>());
        for domain in 0..requests.len() {
            let own: Vec<_> = log.iter().filter(|(at, ..)| *at == domain).collect();
            assert!(
                own.windows(2).all(|two| two[1].1 >= two[0].2 + LATENCY),
                "domain {domain}"
            );
        }
    }

    #[test]
    fn the_longest_queue_alone_decides_how_long_it_takes() {
        let requests = [7, 1, 30, 12, 12, 3];
        let (log, ended) = simulated(&requests, 6);
        let asked: Duration = log
            .iter()
            .filter(|(at, ..)| *at == 2)
            .map(|(_, start, end)| *end - *start)
            .sum();
        assert_eq!(ended, asked + LATENCY * 29);
    }

    #[test]
    fn a_domain_that_was_put_off_while_it_waited_goes_back() {
        let mut schedule = Schedule::default();
        schedule.offer("a", Duration::ZERO);
        schedule.put_off("a", LATENCY);
        assert_eq!(schedule.take(Duration::ZERO), None);
        assert_eq!(schedule.next_time(), Some(LATENCY));
        assert_eq!(schedule.take(LATENCY).as_deref(), Some("a"));
        // A second offer gives no second turn.
        schedule.offer("a", LATENCY);
        assert_eq!(schedule.take(LATENCY * 9), None);
    }

    #[test]
    fn behind_a_long_sleep_a_domain_has_one_turn_and_not_those_that_it_missed() {
        let mut schedule = Schedule::default();
        schedule.offer("a", Duration::ZERO);
        assert!(schedule.take(Duration::ZERO).is_some());
        schedule.give_back("a", LATENCY, true);
        let woken = LATENCY * 3600;
        assert!(schedule.take(woken).is_some());
        assert_eq!(schedule.take(woken), None, "it is being asked");
        schedule.give_back("a", woken + LATENCY, true);
        assert_eq!(schedule.take(woken + LATENCY / 2), None);
        assert!(schedule.take(woken + LATENCY).is_some());
    }
}
