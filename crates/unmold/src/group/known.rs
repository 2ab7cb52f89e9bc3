//! Groups that were found before, for pages that come later.

use super::{
    features::Features,
    layout::{ALIKE, Exemplars, Near},
    titles::Affix,
    weights::{PathSet, Weights},
};
use serde::{Deserialize, Serialize};

/// Groups as a later run needs them: no pages, only what some of them are made of.
///
/// Written as JSON; a file of another version, or one whose numbers make no sense, is refused when
/// it is read.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(into = "File", try_from = "File")]
pub struct KnownGroups {
    scales: Vec<Weights>,
    groups: Vec<KnownGroup>,
    /// The groups of each scale: their numbers here, and their exemplars.
    by_scale: Vec<(Vec<usize>, Exemplars)>,
}

/// A group that was found before.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KnownGroup {
    /// What it is called.
    pub name: String,
    /// How many pages it has, those of later runs included.
    pub pages: usize,
    /// The id of a page that is like all the others.
    pub representative: String,
    /// The number of its layout: groups of one layout are built alike and differ in their titles.
    pub layout: usize,
    /// The number of its site.
    pub site: usize,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    title_end: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    title_start: Option<String>,
    scale: usize,
    /// How similar its own pages are to its exemplars at least: what is as near belongs to it, so
    /// that the pages that it was found with are always recognised.
    #[serde(default = "alike")]
    least: f64,
    exemplars: Vec<PathSet>,
}

fn alike() -> f64 {
    ALIKE
}

/// A group as it was found, on its way to become known.
pub(super) struct NewGroup {
    pub name: String,
    pub pages: usize,
    pub representative: String,
    pub layout: usize,
    pub site: usize,
    pub affix: Option<Affix>,
    pub scale: usize,
    pub least: f64,
    pub exemplars: Vec<PathSet>,
}

impl KnownGroups {
    /// The groups, by number.
    pub fn groups(&self) -> &[KnownGroup] {
        &self.groups
    }

    /// The group that a page belongs to or, if it belongs to none, the nearest.
    pub(super) fn nearest(&self, page: &Features) -> Option<Near> {
        let near =
            self.by_scale
                .iter()
                .zip(&self.scales)
                .flat_map(|((groups, exemplars), weights)| {
                    let set = weights.path_set(&page.paths);
                    let near: Vec<Near> = exemplars.near(weights, &set).collect();
                    near.into_iter().map(|near| Near {
                        group: groups[near.group],
                        similarity: near.similarity,
                    })
                });
        let rank = |near: &Near| (self.holds(near), near.similarity);
        let best = near.reduce(|best, next| {
            if rank(&next) > rank(&best) {
                next
            } else {
                best
            }
        })?;
        Some(if self.holds(&best) {
            self.by_title(best, page)
        } else {
            best
        })
    }

    /// Whether a page that is so near to a group belongs to it.
    pub(super) fn holds(&self, near: &Near) -> bool {
        near.similarity >= self.groups[near.group].least.min(ALIKE)
    }

    /// Among groups that are built alike, the title decides.
    fn by_title(&self, near: Near, page: &Features) -> Near {
        let layout = self.groups[near.group].layout;
        let mut fitting = self.groups.iter().enumerate().filter(|(_, group)| {
            group.layout == layout && group.affix().is_some_and(|affix| affix.fits(&page.title))
        });
        match (fitting.next(), fitting.next()) {
            (Some((group, _)), None) => Near { group, ..near },
            _ => near,
        }
    }

    /// Takes up groups that were found with some scales of their own.
    pub(super) fn learn(
        &mut self,
        scales: impl IntoIterator<Item = Weights>,
        found: Vec<NewGroup>,
    ) {
        let shift = self.scales.len();
        self.scales.extend(scales);
        self.groups
            .extend(found.into_iter().map(|found| KnownGroup::new(found, shift)));
        self.sort_by_scale();
    }

    /// Counts a page that joined a group.
    pub(super) fn count(&mut self, group: usize) {
        self.groups[group].pages += 1;
    }

    /// The first numbers that no layout and no site has.
    pub(super) fn free_numbers(&self) -> (usize, usize) {
        let next = |number: fn(&KnownGroup) -> usize| {
            self.groups
                .iter()
                .map(|group| number(group) + 1)
                .max()
                .unwrap_or(0)
        };
        (next(|group| group.layout), next(|group| group.site))
    }

    fn sort_by_scale(&mut self) {
        let of_scale = |scale: usize| {
            let groups: Vec<usize> = (0..self.groups.len())
                .filter(|&at| self.groups[at].scale == scale)
                .collect();
            let exemplars = groups
                .iter()
                .map(|&at| self.groups[at].exemplars.clone())
                .collect();
            (groups, exemplars)
        };
        self.by_scale = (0..self.scales.len()).map(of_scale).collect();
    }
}

impl KnownGroup {
    fn new(found: NewGroup, shift: usize) -> Self {
        let (title_end, title_start) = match found.affix {
            Some(Affix::Suffix(end)) => (Some(end), None),
            Some(Affix::Prefix(start)) => (None, Some(start)),
            None => (None, None),
        };
        KnownGroup {
            name: found.name,
            pages: found.pages,
            representative: found.representative,
            layout: found.layout,
            site: found.site,
            title_end,
            title_start,
            scale: found.scale + shift,
            least: found.least,
            exemplars: found.exemplars,
        }
    }

    fn affix(&self) -> Option<Affix> {
        let end = self.title_end.clone().map(Affix::Suffix);
        end.or_else(|| self.title_start.clone().map(Affix::Prefix))
    }
}

/// The version of the file; others are refused.
const VERSION: u32 = 1;

/// KnownGroups groups as they are written.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    unmold_groups: u32,
    scales: Vec<Vec<(String, u32)>>,
    groups: Vec<KnownGroup>,
}

impl From<KnownGroups> for File {
    fn from(known: KnownGroups) -> Self {
        let listed = |weights: &Weights| {
            weights
                .listed()
                .iter()
                .map(|(path, w)| (format!("{path:016x}"), *w))
                .collect()
        };
        File {
            unmold_groups: VERSION,
            scales: known.scales.iter().map(listed).collect(),
            groups: known.groups,
        }
    }
}

/// Why a file of known groups was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KnownGroupsError {
    /// It was written by another version.
    #[error("version {0} of the groups file; this program reads version {VERSION}")]
    Version(u32),
    /// A path is not sixteen hexadecimal digits, or stands twice.
    #[error("{0:?} is not the hash of a path, or stands twice")]
    Path(String),
    /// A group refers to something that the file does not have.
    #[error("group {0} refers to a scale or path that the file does not have")]
    Reference(usize),
}

impl TryFrom<File> for KnownGroups {
    type Error = KnownGroupsError;

    fn try_from(file: File) -> Result<Self, KnownGroupsError> {
        if file.unmold_groups != VERSION {
            return Err(KnownGroupsError::Version(file.unmold_groups));
        }
        let scales = file
            .scales
            .iter()
            .map(|scale| weights(scale))
            .collect::<Result<Vec<_>, _>>()?;
        let fits = |group: &KnownGroup| {
            let paths = file.scales.get(group.scale).map_or(0, Vec::len);
            let sorted = |page: &PathSet| {
                page.paths.is_sorted() && page.paths.iter().all(|&path| (path as usize) < paths)
            };
            let is_share = (0.0..=1.0).contains(&group.least);
            group.scale < scales.len() && is_share && group.exemplars.iter().all(sorted)
        };
        if let Some(bad) = file.groups.iter().position(|group| !fits(group)) {
            return Err(KnownGroupsError::Reference(bad));
        }
        let mut known = KnownGroups {
            scales,
            groups: file.groups,
            by_scale: Vec::new(),
        };
        known.sort_by_scale();
        Ok(known)
    }
}

fn weights(listed: &[(String, u32)]) -> Result<Weights, KnownGroupsError> {
    let mut before = None;
    let mut path = |(digits, weight): &(String, u32)| {
        let path = u64::from_str_radix(digits, 16)
            .ok()
            .filter(|path| before.is_none_or(|before| before < *path));
        before = path;
        path.map(|path| (path, *weight))
            .ok_or_else(|| KnownGroupsError::Path(digits.clone()))
    };
    listed.iter().map(&mut path).collect()
}
